/** `front_door` as text. */
export function nameText(name: string): string {
  const words = name.replace(/_/g, ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
