// Growing trees from sparse columns, compiled separately: it does not depend on the response.
#pragma once

#include "grow/grown_nodes.hpp"
#include "search/sparse_search.hpp"

namespace boxwood::coded {

// `rows`: to learn from, ascending.
GrownNodes grow_sparse(SparseNodes& nodes, const SparseColumns& columns, const std::vector<u32>& rows,
                       ThreadPool& pool);

}  // namespace boxwood::coded
