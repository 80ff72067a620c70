// SPDX-License-Identifier: Apache-2.0
/** Programs at the other end of a cable: servers and clients that speak with the classic tools. */
@NullMarked
package org.hcaactors.cli.gateway;

import org.jspecify.annotations.NullMarked;
