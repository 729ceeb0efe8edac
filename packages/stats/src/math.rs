//! Elementary functions made of IEEE 754 arithmetic alone, so that the agent (any architecture) and the app
//! (WebAssembly) compute the same bits. `f64::ln` and `f64::exp` do not promise that: each platform brings its own.
//!
//! `ln` and `exp` follow FreeBSD's msun, `e_log.c` and `e_exp.c` ("Copyright (C) 1993, 2004 by Sun Microsystems, Inc.
//! All rights reserved. Permission to use, copy, modify, and distribute this software is freely granted, provided
//! that this notice is preserved."); error below 1 ulp.

// The constants are those of the source, digit for digit.
#![allow(clippy::excessive_precision, clippy::approx_constant)]

const LN2_HI: f64 = 6.931_471_803_691_238_164_90e-1;
const LN2_LO: f64 = 1.908_214_929_270_587_700_02e-10;

/// The value when it is finite and above 0, the only kind that rates, times and sizes can have.
#[must_use]
pub fn positive(value: f64) -> Option<f64> {
    (value.is_finite() && value > 0.0).then_some(value)
}

/// Natural logarithm. NaN below 0 and for NaN, −∞ at 0, ∞ at ∞.
#[must_use]
pub fn ln(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x.is_infinite() {
        return x;
    }
    // Subnormal numbers are scaled by 2^54 first.
    let (x, shift) = if x < f64::MIN_POSITIVE {
        (x * 18_014_398_509_481_984.0, 54)
    } else {
        (x, 0)
    };
    // x = 2^k · (1 + f) with √½ ≤ 1 + f < √2.
    let bits = x.to_bits();
    let high = (bits >> 32) + (0x3ff0_0000 - 0x3fe6_a09e);
    let k = (high >> 20) as f64 - 1023.0 - f64::from(shift);
    let f = f64::from_bits((((high & 0x000f_ffff) + 0x3fe6_a09e) << 32) | (bits & 0xffff_ffff)) - 1.0;
    let half_square = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even =
        w * (3.999_999_999_940_941_908e-1 + w * (2.222_219_843_214_978_396e-1 + w * 1.531_383_769_920_937_332e-1));
    let odd = z
        * (6.666_666_666_666_735_130e-1
            + w * (2.857_142_874_366_239_149e-1
                + w * (1.818_357_216_161_805_012e-1 + w * 1.479_819_860_511_658_591e-1)));
    s * (half_square + (odd + even)) + k * LN2_LO - half_square + f + k * LN2_HI
}

/// e to the power of x. ∞ above about 709.78, 0 below about −745.13, NaN for NaN.
#[must_use]
pub fn exp(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x > 709.782_712_893_383_973_096 {
        return f64::INFINITY;
    }
    if x < -745.133_219_101_941_108_42 {
        return 0.0;
    }
    // x = k·ln 2 + r with |r| ≤ ½ ln 2.
    let k = (x * 1.442_695_040_888_963_387_00 + if x < 0.0 { -0.5 } else { 0.5 }).trunc();
    let high = x - k * LN2_HI;
    let low = k * LN2_LO;
    let r = high - low;
    let rr = r * r;
    let c = r - rr
        * (1.666_666_666_666_660_190_37e-1
            + rr * (-2.777_777_777_701_559_338_42e-3
                + rr * (6.613_756_321_437_934_361_17e-5
                    + rr * (-1.653_390_220_546_525_153_90e-6 + rr * 4.138_136_797_057_238_460_39e-8))));
    let y = 1.0 + (r * c / (2.0 - c) - low + high);
    // Two steps, because 2^k itself may not be a number.
    let half = (k / 2.0).trunc();
    y * power_of_two(half) * power_of_two(k - half)
}

/// 2 to an integer power between −1022 and 1023.
fn power_of_two(k: f64) -> f64 {
    f64::from_bits(((k as i64 + 1023) as u64) << 52)
}

/// ln Γ(x) for x ≥ ½: Lanczos' approximation with g = 7 and 9 terms (C. Lanczos, SIAM J. Numer. Anal. B 1 (1964)
/// 86–96; coefficients by P. Godfrey, 2001); relative error about 1e-15.
#[must_use]
pub fn ln_gamma(x: f64) -> f64 {
    const TERMS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_13,
        -176.615_029_162_140_59,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_571_6e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let mut sum = 0.999_999_999_999_809_93;
    let mut i = 0.0;
    for term in TERMS {
        i += 1.0;
        sum += term / (x + i);
    }
    let t = x + 7.5;
    0.918_938_533_204_672_74 + (x + 0.5) * ln(t) - t + ln(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn edges() {
        assert!(ln(-1.0).is_nan() && ln(f64::NAN).is_nan() && exp(f64::NAN).is_nan());
        assert_eq!(ln(0.0), f64::NEG_INFINITY);
        assert_eq!(ln(f64::INFINITY), f64::INFINITY);
        assert_eq!((ln(1.0), exp(0.0)), (0.0, 1.0));
        assert_eq!((exp(1e9), exp(-1e9), exp(f64::NEG_INFINITY)), (f64::INFINITY, 0.0, 0.0));
        assert!(exp(709.78).is_finite() && exp(-745.0) > 0.0);
        assert!((ln_gamma(0.5) - std::f64::consts::PI.sqrt().ln()).abs() < 1e-14);
        assert!((ln_gamma(11.0) - 3_628_800_f64.ln()).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn ln_is_the_platforms_within_two_ulp(x in proptest::num::f64::POSITIVE | proptest::num::f64::SUBNORMAL) {
            let x = x.abs();
            prop_assert!((ln(x) - x.ln()).abs() <= 2.0 * f64::EPSILON * x.ln().abs().max(f64::MIN_POSITIVE), "{x}");
        }

        #[test]
        fn exp_is_the_platforms_within_two_ulp(x in -700.0..700.0_f64) {
            prop_assert!((exp(x) - x.exp()).abs() <= 2.0 * f64::EPSILON * x.exp(), "{x}");
        }
    }
}
