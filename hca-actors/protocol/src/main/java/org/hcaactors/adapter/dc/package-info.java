// SPDX-License-Identifier: Apache-2.0
/** Dynamically connected: initiators that go from target to target, and the responders that serve them. */
@NullMarked
package org.hcaactors.adapter.dc;

import org.jspecify.annotations.NullMarked;
