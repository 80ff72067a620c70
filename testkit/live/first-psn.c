// SPDX-License-Identifier: Apache-2.0
// Preloaded by the guest's programs, whose first PSN is lrand48(): it is FIRST_PSN then.
#include <stdlib.h>

long lrand48(void) {
    const char *psn = getenv("FIRST_PSN");
    return psn ? strtol(psn, 0, 0) : 1;
}
