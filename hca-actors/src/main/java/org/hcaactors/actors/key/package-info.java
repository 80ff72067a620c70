// SPDX-License-Identifier: Apache-2.0
/** The actor of a memory key, for all kinds of keys. */
@NullMarked
package org.hcaactors.actors.key;

import org.jspecify.annotations.NullMarked;
