// SPDX-License-Identifier: Apache-2.0
/** The values of a profile, each by its name, as people type them. */
@NullMarked
package org.hcaactors.lab.profile;

import org.jspecify.annotations.NullMarked;
