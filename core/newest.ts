/** Puts a value into a map whose keys stand in the order of their last use; of more than `most` the one used longest ago goes. */
export function putNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return;
  for (const [oldest] of map) {
    map.delete(oldest);
    return;
  }
}
