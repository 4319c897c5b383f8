/** Stores under the contract, as their authors test them. */
package com.example.store;
