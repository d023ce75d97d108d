/* What the algorithms offer; part of algorithms/rows.h. */
#ifndef CP_GENERATED_ALGORITHMS_H
#define CP_GENERATED_ALGORITHMS_H

CP_API int32_t cp_zoh_needed(const cp_coupling_settings *c, const cp_state *s);
CP_API cp_shifted_line cp_zoh_line(const cp_coupling_settings *c, cp_state *s);
CP_API cp_shifted_line cp_zoh_share(const cp_coupling_settings *c, const cp_state *s);
CP_API int32_t cp_foh_needed(const cp_coupling_settings *c, const cp_state *s);
CP_API cp_shifted_line cp_foh_line(const cp_coupling_settings *c, cp_state *s);
CP_API cp_shifted_line cp_foh_share(const cp_coupling_settings *c, const cp_state *s);
CP_API int32_t cp_smb_needed(const cp_coupling_settings *c, const cp_state *s);
CP_API cp_shifted_line cp_smb_line(const cp_coupling_settings *c, cp_state *s);
CP_API cp_shifted_line cp_smb_share(const cp_coupling_settings *c, const cp_state *s);
CP_API int32_t cp_eros3_needed(const cp_coupling_settings *c, const cp_state *s);
CP_API cp_shifted_line cp_eros3_line(const cp_coupling_settings *c, cp_state *s);
CP_API cp_shifted_line cp_eros3_share(const cp_coupling_settings *c, const cp_state *s);
CP_API int32_t cp_eros4_needed(const cp_coupling_settings *c, const cp_state *s);
CP_API cp_shifted_line cp_eros4_line(const cp_coupling_settings *c, cp_state *s);
CP_API cp_shifted_line cp_eros4_share(const cp_coupling_settings *c, const cp_state *s);
CP_API int32_t cp_linear_needed(const cp_coupling_settings *c, const cp_state *s);
CP_API cp_shifted_line cp_linear_line(const cp_coupling_settings *c, cp_state *s);
CP_API cp_shifted_line cp_linear_share(const cp_coupling_settings *c, const cp_state *s);
CP_API int32_t cp_irregular_needed(const cp_coupling_settings *c, const cp_state *s);
CP_API cp_shifted_line cp_irregular_line(const cp_coupling_settings *c, cp_state *s);
CP_API cp_shifted_line cp_irregular_share(const cp_coupling_settings *c, const cp_state *s);
CP_API int32_t cp_auto_needed(const cp_coupling_settings *c, const cp_state *s);
CP_API cp_shifted_line cp_auto_line(const cp_coupling_settings *c, cp_state *s);
CP_API cp_shifted_line cp_auto_share(const cp_coupling_settings *c, const cp_state *s);
#ifndef CP_WITHOUT_NEURAL
CP_API int32_t cp_neural_needed(const cp_coupling_settings *c, const cp_state *s);
CP_API cp_shifted_line cp_neural_line(const cp_coupling_settings *c, cp_state *s);
CP_API cp_shifted_line cp_neural_share(const cp_coupling_settings *c, const cp_state *s);
#endif

#endif
