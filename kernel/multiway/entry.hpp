// An entry of a sorted list: the code of a value in the upper half, the sample it belongs to in the lower.
#pragma once

#include <cstdint>

namespace boxwood {

using Entry = std::uint64_t;
inline std::uint32_t code_of(Entry e) { return static_cast<std::uint32_t>(e >> 32); }
inline std::uint32_t sample_of(Entry e) { return static_cast<std::uint32_t>(e); }

}  // namespace boxwood
