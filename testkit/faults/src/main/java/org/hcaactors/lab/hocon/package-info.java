// SPDX-License-Identifier: Apache-2.0
/** Reader of HOCON written by users: key by key, with refusals of one line that contain position, error and what is allowed. */
@NullMarked
package org.hcaactors.lab.hocon;

import org.jspecify.annotations.NullMarked;
