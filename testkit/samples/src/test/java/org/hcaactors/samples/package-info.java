// SPDX-License-Identifier: Apache-2.0
/** What a user of the bench writes. */
@NullMarked
package org.hcaactors.samples;

import org.jspecify.annotations.NullMarked;
