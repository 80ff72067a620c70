// SPDX-License-Identifier: Apache-2.0
/** The values of a profile by name, in the text form that users type. */
@NullMarked
package org.hcaactors.lab.profile;

import org.jspecify.annotations.NullMarked;
