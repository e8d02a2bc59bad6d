;; The inner loops of the ranking with 128-bit vectors, which JavaScript does not have. kernel.ts says what each export does.
(module
  (import "host" "memory" (memory 0))

  (func (export "peaks") (param $at i32) (param $end i32) (param $width i32) (param $peaks i32)
    (local $stop i32) (local $best v128)
    (loop $part
      (local.set $stop
        (select
          (local.tee $stop (i32.add (local.get $at) (local.get $width)))
          (local.get $end)
          (i32.lt_u (local.get $stop) (local.get $end))))
      (local.set $best (f32x4.splat (f32.const -inf)))
      (loop $four
        (local.set $best (f32x4.pmax (local.get $best) (v128.load align=4 (local.get $at))))
        (br_if $four
          (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $stop))))
      (f32.store (local.get $peaks)
        (f32.max
          (f32.max
            (f32.max (f32x4.extract_lane 0 (local.get $best)) (f32x4.extract_lane 1 (local.get $best)))
            (f32x4.extract_lane 2 (local.get $best)))
          (f32x4.extract_lane 3 (local.get $best))))
      (local.set $peaks (i32.add (local.get $peaks) (i32.const 4)))
      (br_if $part (i32.lt_u (local.get $at) (local.get $end)))))

  (func (export "scan")
    (param $at i32) (param $end i32) (param $low f32) (param $high f32) (param $near i32) (result i32)
    (local $next i32) (local $lows v128) (local $highs v128) (local $counts v128) (local $above v128)
    (local $four v128)
    (local.set $lows (f32x4.splat (local.get $low)))
    (local.set $highs (f32x4.splat (local.get $high)))
    (local.set $next (i32.add (local.get $near) (i32.const 4)))
    (loop $four
      (local.set $above
        (f32x4.gt (local.tee $four (v128.load align=4 (local.get $at))) (local.get $highs)))
      (local.set $counts (i32x4.sub (local.get $counts) (local.get $above)))
      ;; The address is always written, and kept only if $next moves on. A branch would be mispredicted too often.
      (i32.store (local.get $next) (local.get $at))
      (local.set $next
        (i32.add (local.get $next)
          (i32.shl
            (v128.any_true
              (v128.xor (f32x4.gt (local.get $four) (local.get $lows)) (local.get $above)))
            (i32.const 2))))
      (br_if $four
        (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
    (i32.store (local.get $near)
      (i32.sub
        (i32.shr_u (i32.sub (local.get $next) (local.get $near)) (i32.const 2))
        (i32.const 1)))
    (i32.add
      (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $counts)) (i32x4.extract_lane 1 (local.get $counts)))
        (i32x4.extract_lane 2 (local.get $counts)))
      (i32x4.extract_lane 3 (local.get $counts))))

  (func (export "dot") (param $at i32) (param $end i32) (param $other i32) (result f64)
    (local $even v128) (local $odd v128)
    (loop $four
      (local.set $even
        (f64x2.add
          (f64x2.mul
            (f64x2.promote_low_f32x4 (v128.load64_zero align=4 (local.get $at)))
            (f64x2.promote_low_f32x4 (v128.load64_zero align=4 (local.get $other))))
          (local.get $even)))
      (local.set $odd
        (f64x2.add
          (f64x2.mul
            (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 align=4 (local.get $at)))
            (f64x2.promote_low_f32x4 (v128.load64_zero offset=8 align=4 (local.get $other))))
          (local.get $odd)))
      (local.set $other (i32.add (local.get $other) (i32.const 16)))
      (br_if $four
        (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
    (f64.add
      (f64x2.extract_lane 0 (local.tee $even (f64x2.add (local.get $even) (local.get $odd))))
      (f64x2.extract_lane 1 (local.get $even)))))
