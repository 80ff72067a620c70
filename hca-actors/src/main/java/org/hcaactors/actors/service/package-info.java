// SPDX-License-Identifier: Apache-2.0
/** What makes an object, and what it uses. */
@NullMarked
package org.hcaactors.actors.service;

import org.jspecify.annotations.NullMarked;
