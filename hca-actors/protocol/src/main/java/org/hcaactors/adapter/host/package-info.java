// SPDX-License-Identifier: Apache-2.0
/** The host's memory: address spaces, buffers, what pins them. */
@NullMarked
package org.hcaactors.adapter.host;

import org.jspecify.annotations.NullMarked;
