// SPDX-License-Identifier: Apache-2.0
/** The actor of the pager. */
@NullMarked
package org.hcaactors.actors.paging;

import org.jspecify.annotations.NullMarked;
