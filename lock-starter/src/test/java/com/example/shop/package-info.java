/** An application as a user would write it, outside of the starter's packages. */
package com.example.shop;
