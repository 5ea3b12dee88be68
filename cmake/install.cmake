# `cmake --install`: the commands, the library where the command looks for it (lib/ beside its own
# folder, whatever the system calls its library folder), the header for programs that ask by
# themselves, what `culprit demo` runs, and what there is to read. The tree may be moved as a whole.
include(GNUInstallDirs)
set(library_folder lib)

install(TARGETS culprit RUNTIME DESTINATION bin)
file(GLOB triage_scripts scripts/triage/*)
install(PROGRAMS ${triage_scripts} DESTINATION bin)
install(TARGETS culprit_shim LIBRARY DESTINATION ${library_folder})
if(TARGET demo)
  install(PROGRAMS $<TARGET_FILE:demo> DESTINATION ${library_folder}/culprit-demo)
  install(FILES $<TARGET_FILE:simcuda> $<TARGET_FILE:kernel_training>
    DESTINATION ${library_folder}/culprit-demo)
endif()
install(FILES shim/culprit.h DESTINATION include)
configure_file(cmake/culprit.pc.in culprit.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/culprit.pc DESTINATION ${library_folder}/pkgconfig)
install(FILES ${CMAKE_BINARY_DIR}/share/man/man1/culprit.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES README.md LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
