/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_INHERITED_H
#define HCA_VERBS_INHERITED_H

/* Programs that this one starts do not inherit the adapter's sockets, which would keep its address taken. Java opens them without that. */
void inherited_not(void);

#endif
