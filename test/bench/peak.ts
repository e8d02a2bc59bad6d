import { readFileSync } from 'node:fs';

/**
 * The process's peak memory in bytes. On Linux, it comes from /proc, because getrusage may report the parent's
 * peak.
 */
export function peakMemory(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]) * 1024;
}
