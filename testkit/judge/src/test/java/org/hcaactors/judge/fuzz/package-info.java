// SPDX-License-Identifier: Apache-2.0
/** Fuzz tests of files from users and other programs: each file is read, or refused with a message. */
@NullMarked
package org.hcaactors.judge.fuzz;

import org.jspecify.annotations.NullMarked;
