export function countedUsers(count: number): string {
  return count === 1 ? '1 user' : `${count} users`;
}
