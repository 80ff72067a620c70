// SPDX-License-Identifier: Apache-2.0
/** A user's program that also records runs and tests itself. */
module org.hcaactors.samples.shipped {
    requires jdk.jfr;
    requires org.hcaactors.lab;
    requires org.hcaactors.views;
}
