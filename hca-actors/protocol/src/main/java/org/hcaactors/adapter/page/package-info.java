// SPDX-License-Identifier: Apache-2.0
/** Physical pages of a host, and their allocation for buffers. */
@NullMarked
package org.hcaactors.adapter.page;

import org.jspecify.annotations.NullMarked;
