# shellcheck shell=bash
# For tests that read what strace wrote.

# whole_calls FILE: print what strace -f wrote, each call in one line. strace writes two lines for a call if
# another thread's event comes meanwhile.
whole_calls() {
	awk '
		sub(/ <unfinished \.\.\.>$/, "") { begun[$1] = $0; next }
		match($0, /^[0-9]+ +<\.\.\. [a-z0-9_]+ resumed>/) {
			$0 = begun[$1] substr($0, RLENGTH + 1)
			delete begun[$1]
		}
		{ print }
		END { for (thread in begun) print begun[thread] }' "$1"
}
