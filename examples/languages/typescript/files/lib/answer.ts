export function answer(): number {
  return 42;
}
