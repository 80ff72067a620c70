// SPDX-License-Identifier: Apache-2.0
/** Host memory: address spaces, buffers, and pins. */
@NullMarked
package org.hcaactors.adapter.host;

import org.jspecify.annotations.NullMarked;
