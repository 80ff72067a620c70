// SPDX-License-Identifier: Apache-2.0
/** Answers to verbs, completed on the caller's executor. */
@NullMarked
package org.hcaactors.adapter.stage;

import org.jspecify.annotations.NullMarked;
