/* Check our declarations of NVTX's binary interface against NVIDIA's own header. */
#include "entry/nvtx_abi.h"

#include <assert.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>

#define SAME(ours, theirs) static_assert((int)(ours) == (int)(theirs), #ours)
#define SAME_PLACE(ours, theirs)                                                    \
	static_assert(offsetof(struct nvtx_attributes, ours) ==                     \
				      offsetof(nvtxEventAttributes_t, theirs) &&    \
			      sizeof(((struct nvtx_attributes *)0)->ours) ==        \
				      sizeof(((nvtxEventAttributes_t *)0)->theirs), \
		      #ours)

SAME_PLACE(version, version);
SAME_PLACE(size, size);
SAME_PLACE(category, category);
SAME_PLACE(color_type, colorType);
SAME_PLACE(color, color);
SAME_PLACE(payload_type, payloadType);
SAME_PLACE(payload, payload);
SAME_PLACE(message_type, messageType);
SAME_PLACE(message, message);
SAME(sizeof(struct nvtx_attributes), sizeof(nvtxEventAttributes_t));

SAME(NVTX_MESSAGE_ASCII, NVTX_MESSAGE_TYPE_ASCII);
SAME(NVTX_MESSAGE_WIDE, NVTX_MESSAGE_TYPE_UNICODE);
SAME(NVTX_MESSAGE_REGISTERED, NVTX_MESSAGE_TYPE_REGISTERED);

SAME(NVTX_TABLE_CALLBACKS, NVTX_ETID_CALLBACKS);
SAME(NVTX_MODULE_CORE, NVTX_CB_MODULE_CORE);
SAME(NVTX_MODULE_DOMAINS, NVTX_CB_MODULE_CORE2);
SAME(sizeof(struct nvtx_callbacks), sizeof(NvtxExportTableCallbacks));
SAME(offsetof(struct nvtx_callbacks, module_functions),
     offsetof(NvtxExportTableCallbacks, GetModuleFunctionTable));

SAME(NVTX_RANGE_START_EX, NVTX_CBID_CORE_RangeStartEx);
SAME(NVTX_RANGE_START_A, NVTX_CBID_CORE_RangeStartA);
SAME(NVTX_RANGE_START_W, NVTX_CBID_CORE_RangeStartW);
SAME(NVTX_RANGE_END, NVTX_CBID_CORE_RangeEnd);
SAME(NVTX_RANGE_PUSH_EX, NVTX_CBID_CORE_RangePushEx);
SAME(NVTX_RANGE_PUSH_A, NVTX_CBID_CORE_RangePushA);
SAME(NVTX_RANGE_PUSH_W, NVTX_CBID_CORE_RangePushW);
SAME(NVTX_RANGE_POP, NVTX_CBID_CORE_RangePop);

SAME(NVTX_DOMAIN_RANGE_START_EX, NVTX_CBID_CORE2_DomainRangeStartEx);
SAME(NVTX_DOMAIN_RANGE_END, NVTX_CBID_CORE2_DomainRangeEnd);
SAME(NVTX_DOMAIN_RANGE_PUSH_EX, NVTX_CBID_CORE2_DomainRangePushEx);
SAME(NVTX_DOMAIN_RANGE_POP, NVTX_CBID_CORE2_DomainRangePop);
SAME(NVTX_DOMAIN_REGISTER_STRING_A, NVTX_CBID_CORE2_DomainRegisterStringA);
SAME(NVTX_DOMAIN_REGISTER_STRING_W, NVTX_CBID_CORE2_DomainRegisterStringW);
SAME(NVTX_DOMAIN_CREATE_A, NVTX_CBID_CORE2_DomainCreateA);
SAME(NVTX_DOMAIN_CREATE_W, NVTX_CBID_CORE2_DomainCreateW);
SAME(NVTX_DOMAIN_DESTROY, NVTX_CBID_CORE2_DomainDestroy);

#define SAME_MEMBER(ours, our_member, theirs, their_member)                                  \
	static_assert(offsetof(struct ours, our_member) == offsetof(theirs, their_member) && \
			      sizeof(((struct ours *)0)->our_member) ==                      \
				      sizeof(((theirs *)0)->their_member),                   \
		      #our_member)
SAME_MEMBER(nvtx_segment, n_slots, nvtxExtModuleSegment_t, slotCount);
SAME_MEMBER(nvtx_segment, slots, nvtxExtModuleSegment_t, functionSlots);
SAME(sizeof(struct nvtx_segment), sizeof(nvtxExtModuleSegment_t));
SAME_MEMBER(nvtx_extension, size, nvtxExtModuleInfo_t, structSize);
SAME_MEMBER(nvtx_extension, module, nvtxExtModuleInfo_t, moduleId);
SAME_MEMBER(nvtx_extension, n_segments, nvtxExtModuleInfo_t, segmentsCount);
SAME_MEMBER(nvtx_extension, segments, nvtxExtModuleInfo_t, segments);
SAME(sizeof(struct nvtx_extension), sizeof(nvtxExtModuleInfo_t));

SAME(NVTX_EXTENSION_PAYLOAD, NVTX_EXT_PAYLOAD_MODULEID);
SAME(NVTX_RANGE_PUSH_PAYLOAD, NVTX3EXT_CBID_nvtxRangePushPayload);
SAME(NVTX_RANGE_POP_PAYLOAD, NVTX3EXT_CBID_nvtxRangePopPayload);
SAME(NVTX_RANGE_START_PAYLOAD, NVTX3EXT_CBID_nvtxRangeStartPayload);
SAME(NVTX_RANGE_END_PAYLOAD, NVTX3EXT_CBID_nvtxRangeEndPayload);
