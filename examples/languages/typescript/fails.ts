function fail(message: string): never {
  throw new Error(message);
}

fail("this went wrong");
