#include "workloads/water/surface_water/reference.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "workloads/water/surface_water/physics.hpp"

namespace camber::surface_water {
namespace {

template <class T>
class FormA {
  public:
    FormA(const State& from, const GenerationContext& context)
        : size_(from.field("depth").size()),
          terrain_(from.field("terrain").cells<T>()),
          infiltration_(from.field("infiltration").cells<T>()),
          flow_(flow_parameters<T>(context.parameters)),
          depth_(from.field("depth").cells<T>().begin(), from.field("depth").cells<T>().end()),
          losses_(depth_.size()),
          gains_(depth_.size()) {}

    // Pass 1: rain.
    void add_rain(T rain, std::map<std::string, double>& account) {
        double rained = 0;
        for (std::size_t i = 0; i < depth_.size(); ++i) {
            if (is_inert(terrain_[i])) {
                depth_[i] = 0;
                continue;
            }
            depth_[i] += rain;
            rained += rain;
        }
        account[rained_account] += rained;
    }

    // Pass 2: infiltration.
    void infiltrate(std::map<std::string, double>& account) {
        double soaked = 0;
        for (std::size_t i = 0; i < depth_.size(); ++i) {
            if (is_inert(terrain_[i])) continue;
            const T loss = infiltrated(depth_[i], infiltration_[i], flow_.dt);
            depth_[i] -= loss;
            soaked += loss;
        }
        account[infiltrated_account] += soaked;
    }

    // Pass 3: loss of every cell. If `clocks` is empty, water leaves at its rate. Returns the largest
    // Courant number.
    double find_losses(std::span<T> clocks) {
        double largest = 0;
        for (std::size_t i = 0; i < depth_.size(); ++i) {
            if (is_inert(terrain_[i])) continue;
            Drops<T> drops;
            each_neighbour_of(
                i, [&](std::size_t j, bool diagonal) { drops.add(drop_between(i, j), diagonal); });
            const T cells = courant_number(velocity(depth_[i], drops, flow_), flow_);
            if (clocks.empty()) {
                losses_[i] = loss_of(smaller(T(1), cells), depth_[i], drops);
            } else {
                const TimedLoss<T> timed = loss_by_clock(clocks[i], depth_[i], drops, flow_);
                losses_[i] = timed.loss;
                clocks[i] = timed.clock;
            }
            largest = std::max(largest, static_cast<double>(cells));
        }
        return largest;
    }

    // Pass 4: adds every cell's shares to its neighbors' gains.
    void hand_out(Order order) {
        for (std::size_t n = 0; n < depth_.size(); ++n) {
            const std::size_t i = order == Order::row_major ? n : depth_.size() - 1 - n;
            each_neighbour_of(i, [&](std::size_t j, bool) {
                gains_[j] += share(losses_[i].per_drop, drop_between(i, j));
            });
        }
    }

    // Pass 5: applies gains and losses.
    void apply(std::span<T> result, std::map<std::string, double>& account) const {
        double lost = 0, gained = 0;
        for (std::size_t i = 0; i < depth_.size(); ++i) {
            result[i] = depth_[i] + (gains_[i] - losses_[i].discharge);
            lost += losses_[i].discharge;
            gained += gains_[i];
        }
        account[lost_account] += lost;
        account[gained_account] += gained;
    }

  private:
    T drop_between(std::size_t i, std::size_t j) const {
        return drop(terrain_[i], depth_[i], terrain_[j], depth_[j]);
    }
    template <class F>
    void each_neighbour_of(std::size_t i, F&& f) const {
        const int row = static_cast<int>(i / size_.columns);
        const int column = static_cast<int>(i % size_.columns);
        each_neighbour([&](int, int dcol, int drow) {
            const int r = row + drow;
            const int c = column + dcol;
            if (r >= 0 && r < size_.rows && c >= 0 && c < size_.columns)
                f(static_cast<std::size_t>(r) * size_.columns + c, dcol != 0 && drow != 0);
        });
    }

    Size size_;
    std::span<const T> terrain_;
    std::span<const T> infiltration_;
    FlowParameters<T> flow_;
    std::vector<T> depth_;
    std::vector<Loss<T>> losses_;
    std::vector<T> gains_;
};

}  // namespace

template <class T>
void form_a_generation(const State& from, State& to, const GenerationContext& context, Order order,
                       const PassEnded& ended) {
    FormA<T> form(from, context);
    to.account = from.account;
    const auto tell = [&ended](std::string_view pass) {
        if (ended) ended(pass);
    };
    std::span<T> clocks;
    if (from.has("clock")) {
        clocks = to.field("clock").cells<T>();
        std::ranges::copy(from.field("clock").cells<T>(), clocks.begin());
    }
    tell("");
    form.add_rain(rain_parameters<T>(context.parameters).later(context.number).now(), to.account);
    tell("rain");
    form.infiltrate(to.account);
    tell("infiltration");
    double& largest = to.account[courant_account];
    largest = std::max(largest, form.find_losses(clocks));
    tell("outflow");
    form.hand_out(order);
    tell("scatter");
    form.apply(to.field("depth").cells<T>(), to.account);
    tell("settle");
}

template void form_a_generation<float>(const State&, State&, const GenerationContext&, Order,
                                       const PassEnded&);
template void form_a_generation<double>(const State&, State&, const GenerationContext&, Order,
                                        const PassEnded&);

}  // namespace camber::surface_water
