/** An application that tests what it does when locks fail. */
package com.example.checkout;
