// SPDX-License-Identifier: Apache-2.0
/** Where everything starts: a fabric, adapters, time, and Pekko sources. */
@NullMarked
package org.hcaactors.network;

import org.jspecify.annotations.NullMarked;
