import { readFileSync } from 'node:fs';

/**
 * The peak memory of this process in bytes. Linux has a number for this program alone, while getrusage's
 * includes the parent process.
 */
export function peakMemory(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]) * 1024;
}
