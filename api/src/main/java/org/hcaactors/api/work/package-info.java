// SPDX-License-Identifier: Apache-2.0
/** Work requests, with the transports that accept them. */
@NullMarked
package org.hcaactors.api.work;

import org.jspecify.annotations.NullMarked;
