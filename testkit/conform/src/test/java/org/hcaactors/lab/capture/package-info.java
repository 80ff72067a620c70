// SPDX-License-Identifier: Apache-2.0
/** What is told of captures that nobody made on a wire: cut, damaged, or of traffic that no stack sends. */
@NullMarked
package org.hcaactors.lab.capture;

import org.jspecify.annotations.NullMarked;
