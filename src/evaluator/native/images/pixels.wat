;; The inner loops over pixels with 128-bit vectors, which JavaScript does not have. pixelKernel.ts says what each export does.
(module
  (import "host" "memory" (memory 0))

  ;; Weights have more than 16 bits, so each is given in two parts: low + high · 2^15. Sums wrap as in 32-bit integers.
  (func (export "across")
    (param $row i32) (param $end i32) (param $step i32) (param $out i32) (param $width i32)
    (param $places i32) (param $weights i32) (param $stride i32) (param $bits i32)
    (local $at i32) (local $groups i32) (local $place i32) (local $weight i32) (local $first i32) (local $left i32)
    (local $four v128) (local $pair v128) (local $low v128) (local $high v128) (local $half v128) (local $sum v128)
    (local $zero v128)
    (local.set $half
      (i32x4.splat (i32.shl (i32.const 1) (i32.sub (local.get $bits) (i32.const 1)))))
    (loop $rows
      (local.set $place (local.get $places))
      (local.set $first (local.get $weights))
      (local.set $left (local.get $width))
      (loop $pixels
        (local.set $at (i32.add (local.get $row) (i32.load (local.get $place))))
        (local.set $groups (i32.load offset=4 (local.get $place)))
        (local.set $weight (local.get $first))
        (local.set $low (local.get $half))
        (local.set $high (local.get $zero))
        (loop $taps
          (local.set $four (v128.load align=1 (local.get $at)))
          ;; Channel by channel, two pixels next to each other.
          (local.set $pair
            (i8x16.shuffle 0 16 3 16 1 16 4 16 2 16 5 16 16 16 16 16 (local.get $four) (local.get $zero)))
          (local.set $low
            (i32x4.add (local.get $low)
              (i32x4.dot_i16x8_s (local.get $pair) (v128.load32_splat (local.get $weight)))))
          (local.set $high
            (i32x4.add (local.get $high)
              (i32x4.dot_i16x8_s (local.get $pair) (v128.load32_splat offset=8 (local.get $weight)))))
          (local.set $pair
            (i8x16.shuffle 6 16 9 16 7 16 10 16 8 16 11 16 16 16 16 16 (local.get $four) (local.get $zero)))
          (local.set $low
            (i32x4.add (local.get $low)
              (i32x4.dot_i16x8_s (local.get $pair) (v128.load32_splat offset=4 (local.get $weight)))))
          (local.set $high
            (i32x4.add (local.get $high)
              (i32x4.dot_i16x8_s (local.get $pair) (v128.load32_splat offset=12 (local.get $weight)))))
          (local.set $at (i32.add (local.get $at) (i32.const 12)))
          (local.set $weight (i32.add (local.get $weight) (i32.const 16)))
          (br_if $taps (local.tee $groups (i32.sub (local.get $groups) (i32.const 1)))))
        (local.set $sum
          (i16x8.narrow_i32x4_s
            (i32x4.shr_s (i32x4.add (local.get $low) (i32x4.shl (local.get $high) (i32.const 15))) (local.get $bits))
            (local.get $zero)))
        ;; The fourth byte is overwritten by the next pixel.
        (v128.store32_lane align=1 0 (local.get $out)
          (i8x16.narrow_i16x8_u (local.get $sum) (local.get $zero)))
        (local.set $out (i32.add (local.get $out) (i32.const 3)))
        (local.set $place (i32.add (local.get $place) (i32.const 8)))
        (local.set $first (i32.add (local.get $first) (local.get $stride)))
        (br_if $pixels (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
      (br_if $rows
        (i32.lt_u
          (local.tee $row (i32.add (local.get $row) (local.get $step)))
          (local.get $end)))))

  (func (export "down")
    (param $row i32) (param $step i32) (param $out i32) (param $pairs i32) (param $weights i32) (param $bits i32)
    (local $at i32) (local $weight i32) (local $left i32) (local $end i32)
    (local $one v128) (local $two v128) (local $part v128) (local $half v128) (local $zero v128)
    (local $lows v128) (local $highs v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $e v128) (local $f v128) (local $g v128) (local $h v128)
    (local.set $half
      (i32x4.splat (i32.shl (i32.const 1) (i32.sub (local.get $bits) (i32.const 1)))))
    (local.set $end (i32.add (local.get $row) (local.get $step)))
    (loop $columns
      (local.set $at (local.get $row))
      (local.set $weight (local.get $weights))
      (local.set $left (local.get $pairs))
      (local.set $a (local.get $half))
      (local.set $b (local.get $half))
      (local.set $c (local.get $half))
      (local.set $d (local.get $half))
      (local.set $e (local.get $zero))
      (local.set $f (local.get $zero))
      (local.set $g (local.get $zero))
      (local.set $h (local.get $zero))
      (loop $taps
        (local.set $lows (v128.load32_splat (local.get $weight)))
        (local.set $highs (v128.load32_splat offset=4 (local.get $weight)))
        (local.set $weight (i32.add (local.get $weight) (i32.const 8)))
        (local.set $one (v128.load align=1 (local.get $at)))
        (local.set $two (v128.load align=1 (i32.add (local.get $at) (local.get $step))))
        (local.set $at (i32.add (local.get $at) (i32.shl (local.get $step) (i32.const 1))))
        (local.set $part
          (i8x16.shuffle 0 16 1 17 2 18 3 19 4 20 5 21 6 22 7 23 (local.get $one) (local.get $two)))
        (local.set $two
          (i8x16.shuffle 8 24 9 25 10 26 11 27 12 28 13 29 14 30 15 31 (local.get $one) (local.get $two)))
        (local.set $one (i16x8.extend_low_i8x16_u (local.get $part)))
        (local.set $part (i16x8.extend_high_i8x16_u (local.get $part)))
        (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s (local.get $one) (local.get $lows))))
        (local.set $e (i32x4.add (local.get $e) (i32x4.dot_i16x8_s (local.get $one) (local.get $highs))))
        (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s (local.get $part) (local.get $lows))))
        (local.set $f (i32x4.add (local.get $f) (i32x4.dot_i16x8_s (local.get $part) (local.get $highs))))
        (local.set $one (i16x8.extend_low_i8x16_u (local.get $two)))
        (local.set $part (i16x8.extend_high_i8x16_u (local.get $two)))
        (local.set $c (i32x4.add (local.get $c) (i32x4.dot_i16x8_s (local.get $one) (local.get $lows))))
        (local.set $g (i32x4.add (local.get $g) (i32x4.dot_i16x8_s (local.get $one) (local.get $highs))))
        (local.set $d (i32x4.add (local.get $d) (i32x4.dot_i16x8_s (local.get $part) (local.get $lows))))
        (local.set $h (i32x4.add (local.get $h) (i32x4.dot_i16x8_s (local.get $part) (local.get $highs))))
        (br_if $taps (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
      (v128.store align=1 (local.get $out)
        (i8x16.narrow_i16x8_u
          (i16x8.narrow_i32x4_s
            (i32x4.shr_s (i32x4.add (local.get $a) (i32x4.shl (local.get $e) (i32.const 15))) (local.get $bits))
            (i32x4.shr_s (i32x4.add (local.get $b) (i32x4.shl (local.get $f) (i32.const 15))) (local.get $bits)))
          (i16x8.narrow_i32x4_s
            (i32x4.shr_s (i32x4.add (local.get $c) (i32x4.shl (local.get $g) (i32.const 15))) (local.get $bits))
            (i32x4.shr_s (i32x4.add (local.get $d) (i32x4.shl (local.get $h) (i32.const 15))) (local.get $bits)))))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (br_if $columns
        (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 16))) (local.get $end)))))

  (func (export "widen") (param $at i32) (param $end i32) (param $out i32)
    (local $eight v128) (local $four v128)
    (loop $more
      (local.set $eight (v128.load8x8_u align=1 (local.get $at)))
      (local.set $four (i32x4.extend_low_i16x8_u (local.get $eight)))
      (v128.store (local.get $out) (f64x2.convert_low_i32x4_u (local.get $four)))
      (v128.store offset=16 (local.get $out)
        (f64x2.convert_low_i32x4_u
          (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $four) (local.get $four))))
      (local.set $four (i32x4.extend_high_i16x8_u (local.get $eight)))
      (v128.store offset=32 (local.get $out) (f64x2.convert_low_i32x4_u (local.get $four)))
      (v128.store offset=48 (local.get $out)
        (f64x2.convert_low_i32x4_u
          (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $four) (local.get $four))))
      (local.set $out (i32.add (local.get $out) (i32.const 64)))
      (br_if $more
        (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $end)))))

  (func (export "blur")
    (param $at i32) (param $end i32) (param $step i32) (param $kernel i32) (param $radius i32)
    (param $out i32) (param $whole i32)
    (local $before i32) (local $after i32) (local $weight i32) (local $left i32)
    (local $w v128) (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $half v128)
    (local.set $half (f64x2.splat (f64.const 0.5)))
    (loop $columns
      (local.set $w (v128.load64_splat (local.get $kernel)))
      (local.set $a (f64x2.mul (local.get $w) (v128.load align=8 (local.get $at))))
      (local.set $b (f64x2.mul (local.get $w) (v128.load offset=16 align=8 (local.get $at))))
      (local.set $c (f64x2.mul (local.get $w) (v128.load offset=32 align=8 (local.get $at))))
      (local.set $d (f64x2.mul (local.get $w) (v128.load offset=48 align=8 (local.get $at))))
      (local.set $before (local.get $at))
      (local.set $after (local.get $at))
      (local.set $weight (local.get $kernel))
      (if (local.tee $left (local.get $radius))
        (then
          (loop $taps
            (local.set $before (i32.sub (local.get $before) (local.get $step)))
            (local.set $after (i32.add (local.get $after) (local.get $step)))
            (local.set $w
              (v128.load64_splat (local.tee $weight (i32.add (local.get $weight) (i32.const 8)))))
            (local.set $a
              (f64x2.add (local.get $a)
                (f64x2.mul (local.get $w)
                  (f64x2.add
                    (v128.load align=8 (local.get $before))
                    (v128.load align=8 (local.get $after))))))
            (local.set $b
              (f64x2.add (local.get $b)
                (f64x2.mul (local.get $w)
                  (f64x2.add
                    (v128.load offset=16 align=8 (local.get $before))
                    (v128.load offset=16 align=8 (local.get $after))))))
            (local.set $c
              (f64x2.add (local.get $c)
                (f64x2.mul (local.get $w)
                  (f64x2.add
                    (v128.load offset=32 align=8 (local.get $before))
                    (v128.load offset=32 align=8 (local.get $after))))))
            (local.set $d
              (f64x2.add (local.get $d)
                (f64x2.mul (local.get $w)
                  (f64x2.add
                    (v128.load offset=48 align=8 (local.get $before))
                    (v128.load offset=48 align=8 (local.get $after))))))
            (br_if $taps (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))))
      (if (local.get $whole)
        (then
          (v128.store64_lane align=1 0 (local.get $out)
            (i8x16.narrow_i16x8_u
              (i16x8.narrow_i32x4_s
                (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                  (i32x4.trunc_sat_f64x2_s_zero (f64x2.add (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (local.get $a))) (local.get $half)))
                  (i32x4.trunc_sat_f64x2_s_zero (f64x2.add (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (local.get $b))) (local.get $half))))
                (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
                  (i32x4.trunc_sat_f64x2_s_zero (f64x2.add (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (local.get $c))) (local.get $half)))
                  (i32x4.trunc_sat_f64x2_s_zero (f64x2.add (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (local.get $d))) (local.get $half)))))
              (local.get $a)))
          (local.set $out (i32.add (local.get $out) (i32.const 8))))
        (else
          (v128.store align=8 (local.get $out) (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (local.get $a))))
          (v128.store offset=16 align=8 (local.get $out) (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (local.get $b))))
          (v128.store offset=32 align=8 (local.get $out) (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (local.get $c))))
          (v128.store offset=48 align=8 (local.get $out) (f64x2.promote_low_f32x4 (f32x4.demote_f64x2_zero (local.get $d))))
          (local.set $out (i32.add (local.get $out) (i32.const 64)))))
      (br_if $columns
        (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 64))) (local.get $end))))))
