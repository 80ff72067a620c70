// SPDX-License-Identifier: Apache-2.0
/** Indirect keys: blueprints and handles. */
@NullMarked
package org.hcaactors.actors.indirect;

import org.jspecify.annotations.NullMarked;
