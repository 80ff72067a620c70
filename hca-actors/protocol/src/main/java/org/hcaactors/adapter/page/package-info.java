// SPDX-License-Identifier: Apache-2.0
/** The physical pages of a host, and how buffers get theirs. */
@NullMarked
package org.hcaactors.adapter.page;

import org.jspecify.annotations.NullMarked;
