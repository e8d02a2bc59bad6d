import { readFileSync } from 'node:fs';

/**
 * The process's peak memory in bytes. Linux counts this program alone, but getrusage includes the parent
 * process.
 */
export function peakMemory(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]) * 1024;
}
