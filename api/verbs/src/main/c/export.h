/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HCA_VERBS_EXPORT_H
#define HCA_VERBS_EXPORT_H

/* Everything else stays inside the library. */
#define EXPORT __attribute__((visibility("default")))

/* The ABI fixes a signature whose argument means nothing here. */
#define UNUSED __attribute__((unused))

#endif
