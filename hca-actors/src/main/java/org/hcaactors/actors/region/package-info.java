// SPDX-License-Identifier: Apache-2.0
/** Memory regions: blueprints and handles. */
@NullMarked
package org.hcaactors.actors.region;

import org.jspecify.annotations.NullMarked;
