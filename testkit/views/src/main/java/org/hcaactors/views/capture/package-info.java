// SPDX-License-Identifier: Apache-2.0
/** What a capture alone tells of the traffic in it, whoever sent it. */
@NullMarked
package org.hcaactors.views.capture;

import org.jspecify.annotations.NullMarked;
