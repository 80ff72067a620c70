// SPDX-License-Identifier: Apache-2.0
/** Detection of programs that misuse their adapter where the adapter itself reports no error. */
@NullMarked
package org.hcaactors.lab.program;

import org.jspecify.annotations.NullMarked;
