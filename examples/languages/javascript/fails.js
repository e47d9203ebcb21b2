function fail(message) {
  throw new Error(message);
}

fail("this went wrong");
