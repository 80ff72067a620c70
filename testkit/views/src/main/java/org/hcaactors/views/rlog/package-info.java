// SPDX-License-Identifier: Apache-2.0
/** A recorded run as a file: a JSON text sequence (RFC 7464), one event a text. */
@NullMarked
package org.hcaactors.views.rlog;

import org.jspecify.annotations.NullMarked;
