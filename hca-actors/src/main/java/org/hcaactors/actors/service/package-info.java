// SPDX-License-Identifier: Apache-2.0
/** Blueprints of objects, and the services that objects use. */
@NullMarked
package org.hcaactors.actors.service;

import org.jspecify.annotations.NullMarked;
