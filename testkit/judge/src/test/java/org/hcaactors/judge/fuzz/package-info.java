// SPDX-License-Identifier: Apache-2.0
/** What people and other programs write, with anything in it: read, or refused in a sentence. */
@NullMarked
package org.hcaactors.judge.fuzz;

import org.jspecify.annotations.NullMarked;
