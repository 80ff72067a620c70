/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_HUGE_PAGES_H
#define HCA_VERBS_HUGE_PAGES_H

/*
 * ENOMEM where the program's environment (MLX_QP_ALLOC_TYPE and the like) wants a queue on huge pages and nothing else, and the machine
 * has none. libmlx5 looks at each creation, so a later setenv counts; Java would not see it.
 */
int huge_pages_refuse(const char *variable);

#endif
