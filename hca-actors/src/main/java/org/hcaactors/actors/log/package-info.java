// SPDX-License-Identifier: Apache-2.0
/** Start of SLF4J, through which Pekko and the adapter log. */
@NullMarked
package org.hcaactors.actors.log;

import org.jspecify.annotations.NullMarked;
