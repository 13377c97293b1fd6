/** @returns what is made; when it cannot be made, what was opened for it by then is closed. @throws what `make` throws */
export async function withCleanup<T>(make: (closing: AsyncDisposableStack) => Promise<T>): Promise<T> {
  const closing = new AsyncDisposableStack();
  try {
    return await make(closing);
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}
