/** The application of a new user. */
package com.example.outside;
