/** @returns what `make` returns; if it fails, everything opened until then is closed. @throws what `make` throws */
export async function withCleanup<T>(make: (closing: AsyncDisposableStack) => Promise<T>): Promise<T> {
  const closing = new AsyncDisposableStack();
  try {
    return await make(closing);
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}
