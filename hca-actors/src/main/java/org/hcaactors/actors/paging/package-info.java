// SPDX-License-Identifier: Apache-2.0
/** The pager as an actor. */
@NullMarked
package org.hcaactors.actors.paging;

import org.jspecify.annotations.NullMarked;
